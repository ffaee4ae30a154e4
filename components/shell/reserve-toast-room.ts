import { assessRoom } from "#components/shell/assess-room.ts";

const property = "--gh-toast-room";
/** Space above and below the stack, in px. */
const gap = 20;

/** Keeps as much room free at the end of the page as the stack of toasts is high. Returns a function that stops it. */
export function reserveToastRoom(stack: HTMLElement): () => void {
  const { style } = document.documentElement;
  let reserved = 0;

  function settle(): void {
    const { scrollHeight, clientHeight } = document.documentElement;
    const needed = stack.offsetHeight === 0 ? 0 : stack.offsetHeight + gap;
    const below = Math.max(0, scrollHeight - clientHeight - window.scrollY);
    const room = assessRoom({ needed, reserved, below });
    if (room === reserved) return;
    reserved = room;
    if (room === 0) style.removeProperty(property);
    else style.setProperty(property, `${room}px`);
  }

  const observer = new ResizeObserver(settle);
  observer.observe(stack);
  window.addEventListener("scroll", settle, { passive: true });
  return () => {
    observer.disconnect();
    window.removeEventListener("scroll", settle);
    style.removeProperty(property);
  };
}
