import { z } from "zod";

/** The head of the chain at a time. Keep it out of reach of anyone who controls the database. */
export const Checkpoint = z.object({
  seq: z.number().int().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  time: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** Formats one line of a checkpoint file. */
export function formatCheckpoint({ seq, hash, time }: Checkpoint): string {
  return JSON.stringify({ seq, hash, time });
}

/** Parses one line; returns undefined if it is not a checkpoint. */
export function parseCheckpoint(line: string): Checkpoint | undefined {
  try {
    return Checkpoint.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
