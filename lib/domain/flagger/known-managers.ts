/** The controller's own name among field managers, under which all its writes are stored. */
export const controllerManager = "flagger";
