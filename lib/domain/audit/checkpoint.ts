import { z } from "zod";

/** The head of the chain at a time, to be kept where who controls the database cannot reach. */
export const Checkpoint = z.object({
  seq: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  time: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** One line of a checkpoint file. */
export function formatCheckpoint({ seq, hash, time }: Checkpoint): string {
  return JSON.stringify({ seq, hash, time });
}

/** Undefined for a line that is no checkpoint. */
export function parseCheckpoint(line: string): Checkpoint | undefined {
  try {
    return Checkpoint.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
