/**
 * Flagger records the errors of its routers and of the Kubernetes API as they are: fluxcd/flagger pkg/router and
 * pkg/canary. They share no prefix, only these forms.
 */
const forms: readonly RegExp[] = [
  /\b(?:get|query|update|create|patch|initializing|backendWeights) (?:error|failed)\b/,
  /\bfailed ?: /,
  /\b(?:failed to|failed after retries|unable to|could not get|cannot have|can't (?:use|access)) /,
  /\b(?:not found|not exist|traffic spec invalid|selector is empty|no valid weights|scaled to zero)\b/,
  /\bmust (?:have RollingUpdate strategy|contain one of|be specified)\b/,
  /\bdoes not contain routes for\b/,
  /^TargetRef\.Kind invalid: /,
  /^Invalid request matching selectors: /,
  /^Gateway API doesn't support the specified /,
  /^(?:Knative Revision|HTTPRoute) .* is not ready\b/,
  / spec\.http is empty$/,
  / only one http backend is supported$/,
  /^Can not find \S+ backend /,
];

/** Returns whether a message that fits no format is an error that ended a tick. */
export function isControllerError(text: string): boolean {
  return forms.some((form) => form.test(text));
}
