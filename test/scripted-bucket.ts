/** The bucket's answer to one request; null to handle the request normally. */
type BucketFault = (request: {
  readonly method: string;
  readonly path: string;
  /** Whether the object exists. */
  readonly exists: boolean;
}) => Response | null;

export type ScriptedBucket = {
  readonly settings: {
    readonly kind: "s3";
    readonly bucket: string;
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly virtualHosted: false;
  };
  /** The environment with which a gateway stores its objects there. */
  readonly environment: Readonly<Record<string, string>>;
  /** By URL path. */
  readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
  /** Every request, in order. */
  readonly requests: Request[];
  /** Applies to all requests from now on. */
  answer(fault: BucketFault): void;
  close(): Promise<void>;
};

/** An error in the form of S3. To a HEAD, S3 sends the status only. */
export function s3Error(status: number, code: string): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}.</Message></Error>`;
  return new Response(text, { status, headers: { "content-type": "application/xml" } });
}

/** An S3 bucket in memory that misbehaves as told. Does not check signatures; `startTestBucket` does. */
export function startScriptedBucket(): ScriptedBucket {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const requests: Request[] = [];
  let fault: BucketFault = () => null;

  async function respond(request: Request): Promise<Response> {
    requests.push(request);
    const { method } = request;
    const path = new URL(request.url).pathname;
    const sent = new Uint8Array(await request.arrayBuffer());
    const known = objects.get(path);
    const answer = fault({ method, path, exists: known !== undefined });
    if (answer !== null) return answer;
    if (method === "PUT") {
      objects.set(path, sent);
      return new Response(null, { headers: { etag: '"x"' } });
    }
    if (method === "DELETE") {
      objects.delete(path);
      return new Response(null, { status: 204 });
    }
    if (known === undefined) return s3Error(404, "NoSuchKey");
    if (method === "HEAD")
      return new Response(null, { headers: { "content-length": `${known.byteLength}` } });
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
    if (from === undefined) return new Response(known);
    return new Response(known.subarray(Number(from), Number(to) + 1), { status: 206 });
  }

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: respond });
  const settings = {
    kind: "s3",
    bucket: "library",
    endpoint: `http://127.0.0.1:${server.port}`,
    region: "us-east-1",
    accessKeyId: "scripted",
    secretAccessKey: "scripted-secret",
    virtualHosted: false,
  } as const;
  return {
    settings,
    environment: {
      BURSAR_S3_BUCKET: settings.bucket,
      BURSAR_S3_ENDPOINT: settings.endpoint,
      BURSAR_S3_ACCESS_KEY_ID: settings.accessKeyId,
      BURSAR_S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    objects,
    requests,
    answer(next) {
      fault = next;
    },
    close: () => server.stop(true),
  };
}
