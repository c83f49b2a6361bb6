/* Browsers without modules (before 2018) run only this. */
document.getElementById("app").innerHTML =
  "<p class='plain'>This browser is too old for the table's page. Try another browser or another phone.</p>";
