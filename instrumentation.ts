/** Next calls this once per process, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startWebProcess } = await import("#lib/server/edge/web/start-web-process.ts");
  await startWebProcess({
    // Loaded only in a demo.
    readDemoAccounts: async (file) => (await import("#demo/accounts.ts")).readDemoAccounts(file),
  });
}
