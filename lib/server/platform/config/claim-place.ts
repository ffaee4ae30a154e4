import { z } from "zod";
import { parseJsonPointer } from "#lib/util/json-pointer.ts";

const longest = 256;
const deepest = 8;

/** Where a claim is: its name, or a JSON pointer to a nested one. A text that begins with a slash is a pointer. */
export const ClaimPlace = z
  .string()
  .min(1, "name the claim, such as groups")
  .max(longest, `a claim's place has at most ${longest} characters`)
  .check(({ value, issues }) => {
    if (!value.startsWith("/")) return;
    const names = parseJsonPointer(value);
    const message =
      names === undefined
        ? 'in a JSON pointer, write "~0" for "~" and "~1" for a "/" within a name, such as /resource_access/gatehouse/roles'
        : `a JSON pointer has at most ${deepest} names`;
    if (names === undefined || names.length > deepest) issues.push({ code: "custom", message, input: value });
  });
