import { LocationProvider, Route, Router } from "preact-iso";
import { Empty } from "./parts/basics.tsx";
import { Layout } from "./parts/layout.tsx";
import { ListPage } from "./pages/list.tsx";
import { t } from "./text.ts";

export function App({ url }: { url?: string }) {
  return (
    // On the server there is no address bar.
    <LocationProvider {...(url !== undefined && { url })}>
      <Layout>
        <Router>
          <Route path="/" component={ListPage} />
          <Route default component={NotFound} />
        </Router>
      </Layout>
    </LocationProvider>
  );
}

function NotFound() {
  return (
    <Empty title={t("notFound")} hint={t("notFoundHint")}>
      <a class="button" href="/">
        {t("toPosts")}
      </a>
    </Empty>
  );
}
