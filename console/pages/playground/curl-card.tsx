import { Link } from "wouter";
import { useSigned } from "../../api/session.ts";
import { Code } from "../../parts/copy.tsx";
import { curlOf } from "./curl.ts";
import type { PlayCall } from "./play.ts";

export function CurlCard({ call, then }: { call: PlayCall; then?: string | undefined }) {
  const { service, administers } = useSigned();
  return (
    <details className="card curl">
      <summary>The same call from your terminal</summary>
      <div className="stack">
        <p className="dim small">
          Put a key into <code translate="no">BURSAR_KEY</code> first.{" "}
          {administers ? <Link href="/keys">Create a key</Link> : "Only owners and admins can create keys."}
        </p>
        <Code text={curlOf(service.publicUrl, call)} what="the command" />
        {then && <Code text={then} what="the second command" />}
      </div>
    </details>
  );
}
