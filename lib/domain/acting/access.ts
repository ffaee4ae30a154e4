/** A right at a cluster, in the words of a SelfSubjectAccessReview. */
export type AccessQuestion = {
  verb: string;
  group: string;
  resource: string;
  subresource?: string;
  namespace: string;
  name?: string;
};

/** An action as it is planned now. */
export type PlannedAccess = {
  action: string;
  patches?: readonly { subresource: string }[] | undefined;
};

/** Formats a right, such as `patch rollouts/status`. */
export function formatAccess({ verb, resource, subresource }: AccessQuestion): string {
  return `${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}
