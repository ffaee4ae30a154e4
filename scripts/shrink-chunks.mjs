// Makes the server's part of Next's build smaller in memory: V8 keeps the text of each file that was loaded.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Rewrites the chunks in a folder. Next writes one chunk several times, under a name for each route that needs it: the
 * later ones become a reference to the first. The others are minified here, since Next would minify each copy, which
 * takes two fifths of its build. Characters outside of ASCII are escaped: one can double the size of its whole text.
 */
export async function shrinkChunks(folder) {
  const { minifySync } = await import("rolldown/utils");
  const first = new Map();
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js"))) {
    const file = join(folder, name);
    const code = readFileSync(file, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "");
    const key = `${dirname(file)}\n${code}`;
    const known = first.get(key);
    writeFileSync(
      file,
      known === undefined ? minify({ minifySync, file, code }) : `module.exports=require("./${known}");\n`,
    );
    if (known === undefined) first.set(key, basename(file));
  }
}

function minify({ minifySync, file, code }) {
  const codegen = { removeWhitespace: true, asciiOnly: true };
  const { code: minified, errors } = minifySync(file, code, { module: false, compress: true, mangle: true, codegen });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return minified;
}

/**
 * Removes the lists of client components that are empty: those of API routes. Next does without a missing one, but
 * evaluates each in a context of its own, which takes 0.25 MiB as long as the process runs.
 */
export function removeEmptyManifests(folder) {
  const names = readdirSync(folder, { recursive: true }).filter((file) =>
    file.endsWith("_client-reference-manifest.js"),
  );
  for (const name of names) {
    const file = join(folder, name);
    const [, json] = /\] = (\{.*\});?\s*$/.exec(readFileSync(file, "utf8")) ?? [];
    if (json === undefined) throw new Error(`${file} has an unknown form`);
    const { moduleLoading: _, ...lists } = JSON.parse(json);
    if (Object.values(lists).every((list) => Object.keys(list).length === 0)) rmSync(file);
  }
}
