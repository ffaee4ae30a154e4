import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { startSandboxServer } from "#test/sandbox-server.ts";

const dir = "/work/shared/data/kube-wire/";
const rec = (f: string) => JSON.parse(readFileSync(dir + f + ".json", "utf8"));
const s = await startSandboxServer();
for (const n of ["wire", "shop", "jesse-test"])
  s.store.create("namespaces", { metadata: { name: n } }, { manager: "t" });
function send(method: string, path: string, headers: any, body: any) {
  return new Promise<any>((res, rej) => {
    const r = request(s.url + path, { method, headers }, (m) => {
      let t = "";
      m.on("data", (c) => (t += c));
      m.on("end", () => {
        let b: any = t;
        try {
          b = JSON.parse(t);
        } catch {}
        res({ status: m.statusCode, body: b, headers: m.headers });
      });
      m.on("error", rej);
    });
    r.on("error", rej);
    if (body !== undefined && body !== null) r.end(typeof body === "string" ? body : JSON.stringify(body));
    else r.end();
  });
}
const users: any = { nobody: "nobody@example.test", viewer: "viewer@example.test", operator: "operator@example.test" };
function norm(v: any): any {
  if (Array.isArray(v)) return v.map(norm);
  if (v && typeof v === "object") {
    const o: any = {};
    for (const k of Object.keys(v).sort()) {
      if (["uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "continue"].includes(k))
        continue;
      o[k] = norm(v[k]);
    }
    return o;
  }
  return v;
}
const seed = rec("create-rollout"),
  st = rec("patch-status-seed"),
  ar = rec("create-analysisrun");
const H = { authorization: "Bearer " + s.token, "content-type": "application/json" };
async function reset() {
  for (const r of ["rollouts", "analysisruns"])
    for (const o of s.store.list(r)) s.store.delete(r, o.metadata.namespace, o.metadata.name);
  await send("POST", seed.request.path, H, seed.request.body);
  await send("PATCH", st.request.path, { ...H, "content-type": "application/merge-patch+json" }, st.request.body);
  await send("POST", ar.request.path, H, ar.request.body);
}
let ok = 0,
  bad = 0;
for (const f of readdirSync(dir).sort()) {
  if (f === "INDEX.json") continue;
  const r = rec(f.replace(".json", ""));
  const q = r.request;
  if (!q || !r.response || !r.response.status) continue;
  if (
    /^(admission|etcd|crd|too-many|apply|sar|version|server)/.test(f) ||
    (/watch/.test(f) && r.response.status === 200) ||
    /list-300|readyz-verbose|openapi|aggregated|protobuf|yaml/.test(f)
  )
    continue;
  await reset();
  const h: any = {};
  for (const [k, v] of Object.entries(q.headers || {})) h[k] = v;
  const m = /<token of (\w+)>/.exec(String(h.Authorization));
  if (m) {
    if (m[1] === "bad") h.Authorization = "Bearer bad";
    else if (m[1] === "None") h.Authorization = f.includes("basic") ? "Basic eDp5" : "Bearer";
    else {
      h.Authorization = "Bearer " + s.token;
      if (users[m[1]!] && !h["Impersonate-User"]) h["Impersonate-User"] = users[m[1]!];
    }
  }
  if (typeof q.body === "string" && q.body.startsWith("<")) continue;
  const a = await send(q.method, q.path, h, q.body);
  const e = JSON.stringify(norm(r.response.body)),
    g = JSON.stringify(norm(a.body));
  if (a.status === r.response.status && e === g) {
    ok++;
    console.log("SAME", f);
  } else {
    bad++;
    console.log(a.status === r.response.status ? "BODY" : "STATUS", f, q.method, q.path, r.response.status, a.status);
    if (process.argv[2]) {
      console.log("   E", e?.slice(0, 70000));
      console.log("   G", g?.slice(0, 70000));
    }
  }
}
console.log(ok, bad);
await s.close();
