import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";

type Frame = { png: Buffer; ms: number };

const reason = "The provider had a hiccup at that time, both versions show it.";

/**
 * Films how an operator accepts an Inconclusive result, from the inbox to the effect: about ten seconds. Needs
 * img2webp (Debian: apt-get install webp).
 */
export async function takeFilm(page: Page): Promise<Buffer> {
  const frames: Frame[] = [];
  const shoot = async (ms: number): Promise<void> => {
    frames.push({ png: await page.screenshot({ animations: "disabled", caret: "hide" }), ms });
  };
  const at = { x: 1000, y: 770 };

  /** Moves the pointer to it, in a few frames. */
  async function moveTo(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    if (box === null) throw new Error("the film points at an element that is not on the page");
    const from = { ...at };
    const to = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
    for (const part of [0.15, 0.45, 0.75, 0.93, 1]) {
      at.x = from.x + (to.x - from.x) * part;
      at.y = from.y + (to.y - from.y) * part;
      await page.mouse.move(at.x, at.y);
      await shoot(part === 1 ? 350 : 70);
    }
  }

  async function click(target: Locator): Promise<void> {
    await moveTo(target);
    await target.click({ position: { x: Math.min((await widthOf(target)) / 2, 60), y: 6 } });
  }

  const row = page.getByRole("main").getByRole("link", { name: "payments/checkout" }).first();
  await row.waitFor();
  await page.evaluate(drawPointer);
  await page.mouse.move(at.x, at.y);
  await shoot(1100);
  await click(row);
  const accept = page
    .getByRole("main")
    .getByRole("button", { name: /^Accept and continue/ })
    .first();
  await accept.waitFor();
  await page.getByRole("main").locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.waitForTimeout(800);
  await shoot(1500);
  await click(accept);
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: "Reason" });
  await field.waitFor();
  await page.waitForTimeout(500);
  await shoot(1200);
  await moveTo(field);
  for (let end = 8; end < reason.length + 8; end += 9) {
    await field.fill(reason.slice(0, end));
    await shoot(110);
  }
  await shoot(500);
  await click(dialog.getByRole("button", { name: "Accept and continue checkout" }));
  await dialog.waitFor({ state: "detached" });
  await shoot(700);
  await page.getByText("In effect").first().waitFor();
  await accept.waitFor({ state: "detached" });
  await shoot(2600);
  return animate(frames);
}

async function widthOf(target: Locator): Promise<number> {
  return (await target.boundingBox())?.width ?? 0;
}

/** Draws an arrow that follows the mouse: pictures of a page have no pointer. */
function drawPointer(): void {
  const pointer = document.createElement("div");
  pointer.style.cssText = "position:fixed;left:0;top:0;z-index:100000;pointer-events:none;width:22px;height:22px";
  pointer.innerHTML =
    '<svg viewBox="0 0 22 22" width="22" height="22"><path d="M2 1l0 16 4.2-3.8 2.7 6.2 2.9-1.3-2.7-6 5.6-.5z" fill="#111" stroke="#fff" stroke-width="1.2"/></svg>';
  document.body.append(pointer);
  document.addEventListener("mousemove", ({ clientX, clientY }) => {
    pointer.style.transform = `translate(${clientX - 2}px, ${clientY - 1}px)`;
  });
}

function animate(frames: readonly Frame[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-film-"));
  try {
    const inputs = frames.flatMap(({ png, ms }, index) => {
      const file = join(folder, `${String(index).padStart(3, "0")}.png`);
      writeFileSync(file, png);
      return ["-d", String(ms), file];
    });
    const output = join(folder, "film.webp");
    const args = ["-loop", "0", "-min_size", "-lossy", "-q", "80", "-m", "6", ...inputs, "-o", output];
    const { error, status, stderr } = spawnSync("img2webp", args, { encoding: "utf8" });
    if (error !== undefined) throw new Error("img2webp is missing: install it (Debian: apt-get install webp)");
    if (status !== 0) throw new Error(`img2webp: ${stderr.slice(-400)}`);
    return readFileSync(output);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
