/** Shows the nearest places first, if the visitor says where they are. */
const button = document.querySelector('#near')
button.disabled = !('geolocation' in navigator)

button.addEventListener('click', () =>
  navigator.geolocation.getCurrentPosition(({ coords: { latitude, longitude } }) => {
    const query = new URLSearchParams(location.search)
    query.delete('page')
    // A hundred metres are exact enough, and all that the website needs to know.
    query.set('near', `${latitude.toFixed(3)},${longitude.toFixed(3)}`)
    location.search = query
  }),
)
