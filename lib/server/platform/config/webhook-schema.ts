import { z } from "zod";
import { SecretPlace } from "./secret-place.ts";

export const httpUrl = z.url({ protocol: /^https?$/ });

/** For a certificate that the system does not know. */
export const caFile = z.string().min(1).optional();

/** Where signed requests are posted to. The secrets are read at each request: a change needs no restart. */
export const webhookFields = {
  /** An address, or where it is stored if it is secret. */
  url: z.union([httpUrl, SecretPlace], {
    error: "must be an http:// or https:// address, or its place: file:PATH or env:NAME",
  }),
  signingSecret: SecretPlace,
  /** Sent as a bearer token. */
  token: SecretPlace.optional(),
  caFile,
};
