/** The manager name that Gatehouse's own patches carry. */
export const ownManager = "gatehouse";
