import('./packages/composition-root/dist/main.js').then(({main})=>main())
