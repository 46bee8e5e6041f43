import { useT } from "../i18n/index.js";

export function Loading() {
  const t = useT();
  return (
    <p className="loading" role="status">
      {t("app.loading")}
    </p>
  );
}
