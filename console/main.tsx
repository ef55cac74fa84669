import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { AskError, isAboutWho } from "./api/ask.ts";
import { waitAndAsk } from "./api/wait-and-ask.ts";
import { App } from "./app.tsx";
import { Toasts } from "./parts/toasts.tsx";
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
 * The gateway may be on this very machine. And what was asked for without a network fails at once, and is seen to: kept
 * until there is one, a command would be carried out when nobody thinks of it any more.
 */
const WITHOUT_NETWORK = { networkMode: "always" } as const;

const client: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // What fails is shown at once (but see waitAndAsk), and says what to do or has a button to try again.
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

// A page that Back brings back as it was left would still wait to be left, and show what was true before.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

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
