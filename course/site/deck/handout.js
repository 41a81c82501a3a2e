// Letters become as small as it takes for each page's text to fit.
"use strict";
for (const content of document.querySelectorAll(".content")) {
  const full = () => content.scrollHeight > content.clientHeight + 1;
  for (let size = 11; full() && size > 6; size -= 0.25) content.style.fontSize = `${size}pt`;
}
