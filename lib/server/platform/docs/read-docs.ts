import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDocFile } from "#lib/util/doc-address.ts";

export type DocLink = { file: string; title: string };
export type DocGroup = { name: string; pages: DocLink[] };

/** The folder with the documentation, beside the program. Its web process always runs in the program's folder. */
const docsFolder = () => join(process.cwd(), "docs");

/** Returns the Markdown of a documentation page; undefined if no such page exists. `file` is a path below `docs/`. */
export async function readDoc(file: string, folder = docsFolder()): Promise<string | undefined> {
  return isDocFile(file) ? (await readIfThere(join(folder, file)))?.toString("utf8") : undefined;
}

/** Returns the pages in the groups of the start page, which lists them all; empty if there is no documentation. */
export async function listDocGroups(folder = docsFolder()): Promise<DocGroup[]> {
  const start = (await readDoc("README.md", folder)) ?? "";
  const groups: DocGroup[] = [];
  for (const line of start.split("\n")) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    if (heading !== undefined) groups.push({ name: heading, pages: [] });
    const [, title, file] = /^\| \[([^\]]+)\]\(([^)#]+)\) \|/.exec(line) ?? [];
    if (title === undefined || file === undefined) continue;
    if (file === "adr" || isDocFile(file)) groups.at(-1)?.pages.push({ file, title });
  }
  return groups;
}

/** Returns the pages of the decisions with their headings, by number. */
export async function listDecisions(folder = docsFolder()): Promise<DocLink[]> {
  const names = await readdir(join(folder, "adr")).catch(orNothing([]));
  const files = names.map((name) => `adr/${name}`).filter(isDocFile);
  const decisions = await Promise.all(
    files.map(async (file) => ({ file, title: titleOf((await readDoc(file, folder)) ?? "") ?? file })),
  );
  return decisions.toSorted((one, other) => (one.file < other.file ? -1 : 1));
}

/** Returns the first heading of a page, as plain text. */
export function titleOf(text: string): string | undefined {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll("`", "");
}

/** Returns a picture of the documentation; undefined if no picture has this name. */
export async function readDocImage(
  name: string,
  folder = docsFolder(),
): Promise<{ bytes: Buffer; type: string } | undefined> {
  const [, ending] = /^[a-z0-9-]{1,200}\.(png|webp)$/.exec(name) ?? [];
  if (ending === undefined) return undefined;
  const bytes = await readIfThere(join(folder, "images", name));
  return bytes === undefined ? undefined : { bytes, type: `image/${ending}` };
}

function readIfThere(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(orNothing(undefined));
}

/** Returns `nothing` for a file that does not exist; rethrows any other error. */
function orNothing<Nothing>(nothing: Nothing): (error: NodeJS.ErrnoException) => Nothing {
  return (error) => {
    if (error.code === "ENOENT") return nothing;
    throw error;
  };
}
