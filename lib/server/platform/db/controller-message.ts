/** The columns of `controller_message` that each of its writers fills; see `prepareInsert`. */
export const messageColumns = {
  cluster: "text",
  namespace: "text",
  name: "text",
  uid: "text",
  rollout_id: "uuid",
  source: "text",
  type: "text",
  message: "text",
  message_digest: "text",
  controller_time: "timestamptz",
} as const;

/** The columns that identify a message, whichever writer stores it. */
export const messageKey = ["cluster", "namespace", "name", "message_digest", "controller_time"] as const;
