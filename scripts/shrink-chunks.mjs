// Makes the server's part of Next's build smaller in memory: V8 keeps the text of each file that was loaded.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/**
 * Rewrites the chunks in a folder. Next writes one chunk several times, under a name for each route that needs it: the
 * later ones become a reference to the first. Characters outside of Latin-1 are escaped, because one of them doubles the
 * size of its whole text.
 */
export async function shrinkChunks(folder) {
  const { minifySync } = await import("rolldown/utils");
  const first = new Map();
  for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js"))) {
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    const code = text.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "");
    const key = `${dirname(file)}\n${code}`;
    const known = first.get(key);
    if (known !== undefined) writeFileSync(file, `module.exports=require("./${known}");\n`);
    else if (/[\u0100-\uffff]/.test(code)) writeFileSync(file, escapeText({ minifySync, file, code }));
    if (known === undefined) first.set(key, basename(file));
  }
}

function escapeText({ minifySync, file, code }) {
  const codegen = { removeWhitespace: true, asciiOnly: true };
  const { code: escaped, errors } = minifySync(file, code, { module: false, compress: false, mangle: false, codegen });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return escaped;
}
