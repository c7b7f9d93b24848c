/** The accounts of people, on MongoDB: with TEST_STORES=servers, services use it. */
import './provider-sign-in.test.js'
import './sign-in.test.js'
