const mark = "data-early-click";

/** Runs before React has taken over the page: marks the button that was clicked last, since nothing else hears it. */
export const earlyClickScript = `document.addEventListener("click",function(event){
  if (document.documentElement.hasAttribute("data-ready")) return;
  var button = event.target.closest("button:not([type=submit])");
  if (button === null) return;
  document.querySelectorAll("[${mark}]").forEach(function(other){ other.removeAttribute("${mark}"); });
  button.setAttribute("${mark}", "");
  setTimeout(function(){
    if (document.documentElement.hasAttribute("data-ready")) button.removeAttribute("${mark}");
  }, 0);
}, true);`;

/**
 * Repeats the click that was made before React had taken over the page. A click may make React take over at once and
 * handle it: the script has removed the mark of such a click by the time that it would be repeated.
 */
export function repeatEarlyClick(): void {
  document.documentElement.setAttribute("data-ready", "");
  setTimeout(() => {
    const button = document.querySelector<HTMLElement>(`[${mark}]`);
    button?.removeAttribute(mark);
    button?.click();
  }, 0);
}
