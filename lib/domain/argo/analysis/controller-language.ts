import { type Language, newestLanguage } from "#lib/expr/language.ts";

/** `isAssumed`: the version does not tell the language. */
type ControllerLanguage = { readonly language: Language; readonly isAssumed: boolean };

/**
 * Returns the language of conditions of an Argo Rollouts version, such as `v1.9.3+d1a2b3c`. Upstream's go.mod names expr
 * v1.15.5 from 1.7 to 1.9, and v1.17.7 from 1.10 on. Builds without a version call themselves 99.99.99. Without a
 * version, the newest language is assumed.
 */
export function languageOfController(version: string | undefined): ControllerLanguage {
  const [, major, minor] = /^v?(\d+)\.(\d+)\.\d/.exec(version?.trim() ?? "")?.map(Number) ?? [];
  if (major === undefined || minor === undefined || major === 99) return { language: newestLanguage, isAssumed: true };
  const isOlder = major < 1 || (major === 1 && minor < 10);
  const isKnown = major > 1 || (major === 1 && minor >= 7);
  return { language: isOlder ? "1.15.5" : newestLanguage, isAssumed: !isKnown };
}

/** Returns the language of a version, or undefined if it would have to be assumed. */
export function knownLanguageOf(version: string | undefined): Language | undefined {
  const { language, isAssumed } = languageOfController(version);
  return isAssumed ? undefined : language;
}

/** Names the versions of Argo Rollouts that have a language. */
export const versionsOf: Readonly<Record<Language, string>> = {
  "1.15.5": "Argo Rollouts before 1.10",
  "1.17.7": "Argo Rollouts from 1.10 on",
};
