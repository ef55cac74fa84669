/** How the bucket answers one request instead of doing what it says; null lets it do that. */
type BucketFault = (request: {
  readonly method: string;
  readonly path: string;
  /** Whether there is such an object. */
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
  /** What a gateway must be told to keep its objects there. */
  readonly environment: Readonly<Record<string, string>>;
  /** By the path of their address. */
  readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
  /** Method, address and headers of every request, in order. */
  readonly requests: Request[];
  /** From now on. */
  answer(fault: BucketFault): void;
  close(): Promise<void>;
};

/** An answer of S3's own form; a HEAD has none, and says only its status. */
export function s3Error(status: number, code: string): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}.</Message></Error>`;
  return new Response(text, { status, headers: { "content-type": "application/xml" } });
}

/** A bucket in memory that misbehaves as it is told. Signatures are not looked at. */
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
