import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { AskError, isAboutWho } from "./api/ask.ts";
import { waitAndAsk } from "./api/wait-and-ask.ts";
import { wasSignedIn } from "./api/was-signed-in.ts";
import { App } from "./app.tsx";
import { beginFirstPage } from "./pages/later-pages.tsx";
import { Toasts } from "./toasts.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";
import "./styles/billing.css";
import "./styles/library.css";
import "./styles/playground.css";
import "./styles/markdown.css";
import "./styles/usage.css";
import "./styles/overview.css";
import "./styles/forced-colors.css";
import "./styles/print.css";

function onError(error: Error): void {
  if (error instanceof AskError && isAboutWho(error.problem.code)) {
    void client.invalidateQueries({ queryKey: ["session"] });
  }
}

/**
 * The gateway may be on this very machine, so being offline does not matter. And a request that fails should fail
 * visibly at once: a command kept until the network is back would be carried out when nobody expects it any more.
 */
const WITHOUT_NETWORK = { networkMode: "always" } as const;

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // Failures are shown at once (but see waitAndAsk), with advice or a button to try again.
    queries: {
      ...waitAndAsk,
      ...WITHOUT_NETWORK,
      staleTime: 2_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
    },
    mutations: { ...WITHOUT_NETWORK, retry: false },
  },
});

// A page restored from the back/forward cache would still look as if it were being left, and show old data.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

// Not for whoever has to sign in first: that may take long, and code that fails to arrive cannot be requested again.
if (wasSignedIn()) beginFirstPage(location.pathname.replace(/^\/console\/?/, "/"));

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <Toasts>
        <App />
      </Toasts>
    </QueryClientProvider>,
  );
}
