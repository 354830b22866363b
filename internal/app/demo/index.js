const form = document.querySelector('#login')
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const name = form.user.value.trim()
  const status = document.querySelector('#status')
  if (!name || form.pass.value !== 'open sesame') {
    status.textContent = 'Wrong name or password'
    return
  }
  sessionStorage.setItem('name', name)
  location.href = 'account.html'
})
