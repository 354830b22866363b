const status = document.querySelector('#status')
document.querySelector('#welcome').textContent = `Welcome, ${sessionStorage.getItem('name') ?? 'stranger'}`
document.querySelector('#delete').addEventListener('click', () => {
  status.textContent = confirm('Delete this account?') ? 'The account is deleted.' : 'The account is kept.'
})

customElements.define('demo-basket', class extends HTMLElement {
  connectedCallback () {
    const root = this.attachShadow({ mode: 'open' })
    const button = document.createElement('button')
    const count = document.createElement('output')
    button.textContent = 'Add to basket'
    count.textContent = 'The basket is empty.'
    let n = 0
    button.addEventListener('click', () => {
      n++
      count.textContent = n === 1 ? '1 thing in the basket' : `${n} things in the basket`
    })
    root.append(button, ' ', count)
  }
})
