import { expect, test } from "bun:test";
import { withRuntimeEnv } from "./runtime-env.mjs";

const ASK_BUCKET = `
  const { S3Client } = await import("bun");
  await new S3Client({ bucket: "b", region: "r", accessKeyId: "a", secretAccessKey: "s", endpoint: process.argv[1] })
    .stat("k").catch(() => {});`;
const ASK_PAGE = "await fetch(process.argv[1]).catch(() => {});";

/** The requests that reach this machine when a process with these variables runs the script. */
async function arrives(script: string, env: Record<string, string>): Promise<{ session: string | null }[]> {
  const requests: { session: string | null }[] = [];
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      requests.push({ session: request.headers.get("x-amz-security-token") });
      return new Response(null);
    },
  });
  const child = Bun.spawn([process.execPath, "-e", script, `http://127.0.0.1:${server.port}`], {
    env: withRuntimeEnv({ PATH: process.env["PATH"], ...env }),
  });
  await child.exited;
  return requests;
}

test("a session token of another program is not sent to our bucket", async () => {
  const requests = await arrives(ASK_BUCKET, { AWS_SESSION_TOKEN: "theirs", S3_SESSION_TOKEN: "theirs" });
  expect(requests).toEqual([{ session: null }]);
});

test("a proxy is not used for this machine or for exceptions of the owner", async () => {
  const HTTP_PROXY = "http://127.0.0.1:1";
  expect((await arrives(ASK_PAGE, { HTTP_PROXY })).length).toBe(1);
  expect((await arrives(ASK_PAGE, { HTTP_PROXY, NO_PROXY: "files.internal" })).length).toBe(1);
  const exceptions = (env: Record<string, string>) => withRuntimeEnv(env).no_proxy;
  expect(exceptions({ NO_PROXY: "files.internal", HOST: "10.0.0.5" })).toBe(
    "files.internal,localhost,127.0.0.1,::1,10.0.0.5",
  );
  expect(exceptions({ NO_PROXY: "a", no_proxy: "b" })).toBe("b,localhost,127.0.0.1,::1");
  expect(exceptions({})).toBe("localhost,127.0.0.1,::1");
});
