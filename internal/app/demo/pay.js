document.querySelector('#pay').addEventListener('submit', (event) => {
  event.preventDefault()
  document.querySelector('#status').textContent = `Paid ${event.target.amount.value}.`
})
