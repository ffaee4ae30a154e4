import { withBasePath } from "#lib/client/base-path.ts";
import { docAddress } from "#lib/util/doc-address.ts";

/** Returns the address of a file of `docs/`, such as `inbox.md`, for a plain link: its pages are not the console's. */
export function docHref(file: string): string {
  return withBasePath(docAddress(file));
}
