import type { UseQueryResult } from "@tanstack/react-query";
import { LoaderCircle } from "lucide-react";
import type { SessionView } from "../../../gateway/src/http/console/contract.ts";
import type { AskError } from "../../api/ask.ts";
import { Answer } from "../../parts/states.tsx";
import { BrandMark } from "../../shell/brand.tsx";
import { Door } from "./door.tsx";

/** Shown until the gateway has said who is signed in, or if it does not answer. */
export function ArrivingPage({ session }: { session: UseQueryResult<SessionView, AskError> }) {
  if (session.error) {
    return (
      <Door title="Not loaded">
        <Answer of={session} waiting={null}>
          {() => null}
        </Answer>
      </Door>
    );
  }
  return (
    <main className="door" role="status" aria-label="Loading">
      <span className="arriving">
        <span className="brand">
          <BrandMark />
          Bursar
        </span>
        <LoaderCircle className="spin" aria-hidden />
      </span>
    </main>
  );
}
