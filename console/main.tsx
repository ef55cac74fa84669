import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Toasts } from "./parts/toasts.tsx";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/parts.css";
import "./styles/shell.css";

const client = new QueryClient({
  defaultOptions: {
    // One more try for a gateway that restarts; a refusal is shown at once and says what to do.
    queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
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
