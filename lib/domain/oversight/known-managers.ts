/** The manager name of Argo's own controller (the name of its binary). */
export const controllerManager = "rollouts-controller";

/** The manager name that Gatehouse's own patches carry. */
export const ownManager = "gatehouse";
