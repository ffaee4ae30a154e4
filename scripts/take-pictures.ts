import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import { type Demo, readDemoFile } from "#test/demo.ts";
import { startDemo } from "#test/start-demo.ts";
import {
  type DocPicture,
  docPictures,
  filmName,
  pictureFile,
  pictureViewport,
  type Role,
  type Scheme,
  schemesOf,
} from "./doc-picture-table.ts";
import { takeFilm } from "./take-film.ts";

const folder = join(import.meta.dirname, "../docs/images");
/** The demo's releases need some time to become interesting. */
const storyMs = 60_000;
const mostBytes = 180_000;
const mostFilmBytes = 2_000_000;

type Wanted = { names: readonly string[]; dataDirectory?: string | undefined; executablePath: string };

/** Takes the pictures of these names, or all, and writes them to `docs/images`. */
export async function takePictures({ names, dataDirectory, executablePath }: Wanted): Promise<void> {
  const unknown = names.filter((name) => name !== filmName && !docPictures.some((picture) => picture.name === name));
  if (unknown.length > 0) throw new Error(`no picture is called ${unknown.join(", ")}`);
  const wanted = docPictures.filter(({ name }) => names.length === 0 || names.includes(name));
  const { demo, stop } = await findDemo(dataDirectory);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    mkdirSync(folder, { recursive: true });
    for (const picture of wanted)
      for (const scheme of schemesOf(picture))
        write(pictureFile(picture.name, scheme), await takePicture(browser, demo, { picture, scheme }));
    // The last: it decides about a release that other pictures show.
    if (names.length === 0 || names.includes(filmName)) write(`${filmName}.webp`, await film(browser, demo));
  } finally {
    await browser.close();
    await stop();
  }
}

function write(file: string, bytes: Buffer): void {
  writeFileSync(join(folder, file), bytes);
  process.stdout.write(`docs/images/${file} ${Math.round(bytes.length / 1000)} KB\n`);
}

async function findDemo(dataDirectory: string | undefined): Promise<{ demo: Demo; stop(): Promise<void> }> {
  if (dataDirectory !== undefined) return { demo: readDemoFile(dataDirectory), stop: async () => {} };
  const own = mkdtempSync(join(tmpdir(), "gatehouse-pictures-"));
  const running = await startDemo({ dataDirectory: join(own, "data"), hasHistory: true });
  await sleep(storyMs);
  return {
    demo: running.demo,
    stop: async () => {
      await running.stop();
      rmSync(own, { recursive: true, force: true });
    },
  };
}

async function takePicture(
  browser: Browser,
  demo: Demo,
  { picture, scheme }: { picture: DocPicture; scheme: Scheme },
): Promise<Buffer> {
  const { as, name, ready, scale } = picture;
  const path = picture.path((key) => `/rollouts/${demo.scenarios[key]}`);
  const page = await openPage(browser, demo, { as, path, scheme, scale });
  try {
    const main = page.getByRole("main");
    await main.getByText(ready).filter({ visible: true }).first().waitFor({ timeout: 90_000 });
    await picture.prepare?.(page);
    await main.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await page.waitForFunction(isLoaded);
    // On a busy machine, the demo's cluster may be stale for a while.
    await page.getByRole("link", { name: /^live/ }).waitFor({ timeout: 180_000 });
    await page.evaluate(() => document.fonts.ready);
    await sleep(1_000);
    const png = await page.screenshot({ animations: "disabled", caret: "hide" });
    return await compress(await page.context().newPage(), png, name);
  } finally {
    await page.context().close();
  }
}

/** Returns whether every part of the page above the fold has loaded. */
function isLoaded(): boolean {
  const skeletons = [...document.querySelectorAll("main .mantine-Skeleton-root")];
  return !skeletons.some((skeleton) => {
    const { top, height } = skeleton.getBoundingClientRect();
    return height > 0 && top < window.innerHeight;
  });
}

async function film(browser: Browser, demo: Demo): Promise<Buffer> {
  const page = await openPage(browser, demo, { as: "operator", path: "/inbox", scheme: "light" });
  try {
    return checkSize(filmName, await takeFilm(page), mostFilmBytes);
  } finally {
    await page.context().close();
  }
}

type Opened = { as: Role; path: string; scheme: Scheme; scale?: number | undefined };

/** Signs in, and opens the page without the demo's hints. */
async function openPage(browser: Browser, demo: Demo, { as, path, scheme, scale = 1 }: Opened): Promise<Page> {
  const context = await browser.newContext({
    baseURL: demo.url,
    viewport: pictureViewport,
    deviceScaleFactor: scale,
    colorScheme: scheme,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
  });
  await context.addInitScript(() => localStorage.setItem("gatehouse.story", '"closed"'));
  const page = await context.newPage();
  await page.goto(path);
  await page.getByRole("button", { name: `Continue as ${as}` }).click();
  await page.waitForURL((url) => url.pathname === path.split("?")[0]);
  return page;
}

/** Returns the picture as WebP, by the browser's own encoder; text stays sharp at this quality. */
async function compress(blank: Page, png: Buffer, name: string): Promise<Buffer> {
  const encoded = await blank.evaluate(async (base64) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${base64}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext("2d", { alpha: false })?.drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", 0.82);
  }, png.toString("base64"));
  const prefix = "data:image/webp;base64,";
  if (!encoded.startsWith(prefix)) throw new Error(`this browser cannot write WebP: ${encoded.slice(0, 40)}`);
  return checkSize(name, Buffer.from(encoded.slice(prefix.length), "base64"), mostBytes);
}

function checkSize(name: string, bytes: Buffer, most: number): Buffer {
  if (bytes.length > most) throw new Error(`${name} has ${bytes.length} bytes, at most ${most}`);
  return bytes;
}
