/** The kinds of rollout that the API and the pages know. Each has a provider, but for those still to come. */
export const deliveryKinds = ["Rollout", "Canary"] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export function isDeliveryKind(kind: string): kind is DeliveryKind {
  return deliveryKinds.some((known) => known === kind);
}
