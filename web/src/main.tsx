import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import { prefetch } from "./prefetch.js";
import { parseLocation } from "./route.js";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/tables.css";
import "./styles/charts.css";
import "./styles/pages.css";
import "./styles/print.css";

prefetch(parseLocation(window.location.hash).route);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
