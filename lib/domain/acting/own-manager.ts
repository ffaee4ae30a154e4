/** The manager name of Gatehouse's own patches. */
export const ownManager = "gatehouse";
