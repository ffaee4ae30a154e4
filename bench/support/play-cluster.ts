// A separate process that plays the cluster: the sandbox's API server, controlled by the benches. Ends with its parent.
import { startSandboxServer } from "#test/sandbox-server.ts";
import { createSandboxDriver, type SandboxCommands } from "./sandbox-driver.ts";

const sandbox = await startSandboxServer({ eventLimit: Number(process.argv[2]) });
const driver = createSandboxDriver(sandbox);
process.on("disconnect", () => process.exit());
process.on("message", ({ id, command, input }: { id: number; command: keyof SandboxCommands; input: never }) => {
  driver[command](input).then(
    (result) => process.send?.({ id, result }),
    (error: Error) => process.send?.({ id, error: error.stack ?? error.message }),
  );
});
process.send?.({ url: sandbox.url, token: sandbox.token });
