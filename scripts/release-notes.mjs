// Prints the changelog section of a version: node scripts/release-notes.mjs VERSION
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readNotes } from "./release-parts.mjs";

const [version = ""] = process.argv.slice(2);
const notes = readNotes(readFileSync(join(import.meta.dirname, "..", "CHANGELOG.md"), "utf8"), version);
if (notes === undefined) {
  process.stderr.write(`gatehouse: CHANGELOG.md has no section "## ${version}", or there is nothing in it\n`);
  process.exitCode = 1;
} else process.stdout.write(`${notes}\n`);
