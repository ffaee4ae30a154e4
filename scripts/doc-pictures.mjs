// npm run docs:pictures: starts the demo and takes the pictures of docs/images from it, those of the README in light and
// dark. Names after `--` take only those: npm run docs:pictures -- inbox search. The animated one, `accept`, needs img2webp
// (Debian: apt-get install webp). With --data-dir DIR, a demo that is running already is used.
import { parseArgs } from "node:util";
import { findBrowser } from "./find-browser.mjs";
import { prepareScript } from "./install.mjs";

await prepareScript();
const { values, positionals } = parseArgs({ allowPositionals: true, options: { "data-dir": { type: "string" } } });
const { takePictures } = await import("./take-pictures.ts");
await takePictures({ names: positionals, dataDirectory: values["data-dir"], executablePath: findBrowser() });
