import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, chromium, type Page } from "@playwright/test";
import { stringify } from "yaml";
import { type Demo, readDemoFile } from "#test/demo.ts";
import { startNotificationReceiver } from "#test/notification-receiver.ts";
import { startDemo } from "#test/start-demo.ts";
import { type DocPicture, docPictures, pictureViewport } from "./doc-picture-table.ts";

const folder = join(import.meta.dirname, "../docs/images");
/** The demo's releases need some time to become interesting. */
const storyMs = 90_000;
const mostBytes = 150_000;

type Wanted = { names: readonly string[]; dataDirectory?: string | undefined; executablePath: string };

/** Takes the pictures of these names, or all, and writes them to `docs/images`. */
export async function takePictures({ names, dataDirectory, executablePath }: Wanted): Promise<void> {
  const unknown = names.filter((name) => !docPictures.some((picture) => picture.name === name));
  if (unknown.length > 0) throw new Error(`no picture is called ${unknown.join(", ")}`);
  const wanted = docPictures.filter(({ name }) => names.length === 0 || names.includes(name));
  const { demo, stop } = await findDemo(dataDirectory);
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    mkdirSync(folder, { recursive: true });
    for (const picture of wanted) {
      const bytes = await takePicture(browser, demo, picture);
      writeFileSync(join(folder, `${picture.name}.webp`), bytes);
      process.stdout.write(`docs/images/${picture.name}.webp ${Math.round(bytes.length / 1000)} KB\n`);
    }
  } finally {
    await browser.close();
    await stop();
  }
}

async function findDemo(dataDirectory: string | undefined): Promise<{ demo: Demo; stop(): Promise<void> }> {
  if (dataDirectory !== undefined) return { demo: readDemoFile(dataDirectory), stop: async () => {} };
  const own = mkdtempSync(join(tmpdir(), "gatehouse-pictures-"));
  const receiver = await startNotificationReceiver();
  const running = await startDemo({ dataDirectory: join(own, "data") });
  appendFileSync(join(own, "data/gatehouse.yaml"), stringify({ notifications: notificationsTo(receiver.url, own) }));
  await sleep(storyMs);
  return {
    demo: running.demo,
    stop: async () => {
      await running.stop();
      await receiver.close();
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/** Two channels, each with a route: the demo has none. */
function notificationsTo(url: string, folder: string) {
  const secretFile = join(folder, "signing-secret");
  writeFileSync(secretFile, randomBytes(32).toString("base64"));
  const channel = (name: string) => ({ name, type: "webhook", url, signingSecret: `file:${secretFile}` });
  return {
    channels: [channel("releases"), channel("on-call")],
    routes: [
      { name: "decisions", events: ["waiting", "inconclusive", "promotion-failing", "action"], to: ["releases"] },
      { name: "critical", minSeverity: "critical", to: ["on-call"] },
    ],
  };
}

async function takePicture(browser: Browser, demo: Demo, picture: DocPicture): Promise<Buffer> {
  const context = await browser.newContext({
    baseURL: demo.url,
    viewport: pictureViewport,
    colorScheme: "light",
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
  });
  try {
    const page = await context.newPage();
    const path = picture.path((key) => `/rollouts/${demo.scenarios[key]}`);
    await page.goto(path);
    await page.getByRole("button", { name: `Continue as ${picture.as}` }).click();
    await page.waitForURL((url) => url.pathname === path.split("?")[0]);
    const main = page.getByRole("main");
    await main.getByText(picture.ready).filter({ visible: true }).first().waitFor({ timeout: 90_000 });
    await picture.prepare?.(page);
    await main.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    await page.evaluate(() => document.fonts.ready);
    await sleep(1_000);
    const png = await page.screenshot({ animations: "disabled", caret: "hide" });
    return await compress(await context.newPage(), png, picture.name);
  } finally {
    await context.close();
  }
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
  const bytes = Buffer.from(encoded.slice(prefix.length), "base64");
  if (bytes.length > mostBytes) throw new Error(`${name} has ${bytes.length} bytes, at most ${mostBytes}`);
  return bytes;
}
