import { badRequest } from "./api-error.ts";
import { isPlainObject } from "./shared-copy.ts";
import type { KubeObject } from "./store-types.ts";

type Requirement = { key: string; operator: "in" | "notin" | "exists" | "absent"; values: string[] };

export type Selector = {
  isEmpty: boolean;
  matches: (object: KubeObject) => boolean;
};

/** Parses a labelSelector such as `app=x,tier in (a,b),!legacy`. A malformed one is a 400. */
export function parseLabelSelector(text: string): Selector {
  const requirements = splitTopLevel(text).map(parseRequirement);
  return {
    isEmpty: requirements.length === 0,
    matches: (object) => requirements.every((requirement) => satisfies(requirement, object.metadata.labels)),
  };
}

/**
 * Parses a fieldSelector over metadata.name, metadata.namespace and the additional fields that the kind can select by.
 */
export function parseFieldSelector(text: string, fields: readonly string[] = []): Selector {
  const terms = text.split(",").filter((term) => term.trim() !== "");
  const tests = terms.map((term) => parseFieldTerm(term, fields));
  return { isEmpty: tests.length === 0, matches: (object) => tests.every((test) => test(object)) };
}

function parseFieldTerm(term: string, fields: readonly string[]): (object: KubeObject) => boolean {
  const match = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(term);
  if (match === null) {
    throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  }
  const [, field = "", operator, value = ""] = match;
  if (field !== "metadata.name" && field !== "metadata.namespace" && !fields.includes(field)) {
    throw badRequest(`field label not supported: ${field}`);
  }
  return (object) => {
    const actual = readField(object, field);
    return operator === "!=" ? actual !== value : actual === value;
  };
}

/** Reads a field; a missing one counts as empty, as upstream's zero values do. */
function readField(object: KubeObject, field: string): string {
  let value: unknown = object;
  for (const key of field.split(".")) value = isPlainObject(value) ? value[key] : undefined;
  // An Event's source is an object; upstream selects by its component.
  if (isPlainObject(value)) value = value.component;
  return value === undefined ? "" : String(value);
}

/** Splits at commas outside parentheses. */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i += 1) {
    const char = text[i];
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (i === text.length || (char === "," && depth === 0)) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts.length === 1 && parts[0] === "" ? [] : parts;
}

const KEY = "[A-Za-z0-9](?:[A-Za-z0-9._/-]*[A-Za-z0-9])?";
const VALUE = "(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?";
const EQUALITY = new RegExp(`^(${KEY})\\s*(==|=|!=)\\s*(${VALUE})$`);
const SET = new RegExp(`^(${KEY})\\s+(in|notin)\\s*\\(([^()]*)\\)$`);
const EXISTS = new RegExp(`^(!?)\\s*(${KEY})$`);

function parseRequirement(part: string): Requirement {
  const equality = EQUALITY.exec(part);
  if (equality !== null) {
    const [, key = "", operator, value = ""] = equality;
    return { key, operator: operator === "!=" ? "notin" : "in", values: [value] };
  }
  const set = SET.exec(part);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    return { key, operator: operator === "notin" ? "notin" : "in", values };
  }
  const exists = EXISTS.exec(part);
  if (exists !== null) {
    return { key: exists[2] ?? "", operator: exists[1] === "!" ? "absent" : "exists", values: [] };
  }
  throw badRequest(`unable to parse requirement: ${complaint(part)}`);
}

/**
 * Returns upstream's complaint, which names the token at which its lexer failed; the common case of a doubled operator
 * has the same words.
 */
function complaint(part: string): string {
  const doubled = /^[^=!]*(?:===|!==)/.test(part);
  return doubled ? "found '=', expected: identifier" : `found '${part}', expected a label key with an operator`;
}

function satisfies(requirement: Requirement, labels: Record<string, string> | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined;
  switch (requirement.operator) {
    case "in":
      return value !== undefined && requirement.values.includes(value);
    case "notin":
      return value === undefined || !requirement.values.includes(value);
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
  }
}
