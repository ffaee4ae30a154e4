import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Makes a certificate for this machine that signs itself, as NAME.key and NAME.crt in the folder. */
export function makeCertificate(folder: string, name: string): { key: string; cert: string } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", cert];
  const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1", "-days", "1"];
  execFileSync("openssl", ["req", "-x509", ...names, ...made], { stdio: "ignore" });
  return { key, cert };
}
