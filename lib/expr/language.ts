/**
 * The versions of expr in which controllers evaluate conditions: 1.15.5 in Argo Rollouts 1.7 to 1.9, 1.17.7 from 1.10
 * on. They differ in builtins, syntax and some results.
 */
export const languages = ["1.15.5", "1.17.7"] as const;
export type Language = (typeof languages)[number];

export const newestLanguage: Language = "1.17.7";
