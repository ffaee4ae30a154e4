/** `/docs/api` is the reference of the API, so the page about it has another name. */
const otherNames: readonly { file: string; name: string }[] = [
  { file: "README.md", name: "" },
  { file: "api.md", name: "api-guide" },
];

/** Returns the path at which a file of `docs/` is served, such as `/docs/inbox` for `inbox.md`. */
export function docAddress(file: string): string {
  const name = otherNames.find((entry) => entry.file === file)?.name ?? file.replace(/\.md$/, "");
  return name === "" ? "/docs" : `/docs/${name}`;
}

/** Returns the file of `docs/` that is served at `/docs/` and these segments, or undefined if none could be. */
export function docFileAt(segments: readonly string[]): string | undefined {
  const name = segments.join("/");
  const other = otherNames.find((entry) => entry.name === name);
  if (other !== undefined) return other.file;
  const file = `${name}.md`;
  return isDocFile(file) && !otherNames.some((entry) => entry.file === file) ? file : undefined;
}

/** No file system takes a longer name. */
const maxName = 200;

/** Returns whether a path below `docs/` can be a page: nothing else of the disk is ever read. */
export function isDocFile(file: string): boolean {
  if (file.length > maxName) return false;
  return file === "README.md" || /^(?:adr\/)?[a-z0-9]+(?:-[a-z0-9]+)*\.md$/.test(file);
}
