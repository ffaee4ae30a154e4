const mark = "data-early-click";

/** Runs before React has taken over the page: marks the button that was clicked last, since nothing else hears it. */
export const earlyClickScript = `document.addEventListener("click",function(event){
  if (document.documentElement.hasAttribute("data-ready")) return;
  var button = event.target.closest("button:not([type=submit])");
  if (button === null) return;
  document.querySelectorAll("[${mark}]").forEach(function(other){ other.removeAttribute("${mark}"); });
  button.setAttribute("${mark}", "");
}, true);`;

/** Repeats the click that was made before React had taken over the page. */
export function repeatEarlyClick(): void {
  document.documentElement.setAttribute("data-ready", "");
  const button = document.querySelector<HTMLElement>(`[${mark}]`);
  button?.removeAttribute(mark);
  button?.click();
}
