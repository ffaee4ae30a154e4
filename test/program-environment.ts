const { PATH, NODE_COMPILE_CACHE } = process.env;

/** The environment for a program that a test starts: nothing of the test's own, but what earlier starts have compiled. */
export const programEnvironment = {
  NODE_ENV: "test" as const,
  ...(PATH === undefined ? {} : { PATH }),
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
};
