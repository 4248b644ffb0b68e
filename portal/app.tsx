import { LocationProvider, Route, Router } from "preact-iso";
import {
  ConfirmPage,
  NewPasswordPage,
  ProfilePage,
  ResetPage,
  SetUpPage,
  SignInPage,
  SignUpPage,
} from "./pages/account.tsx";
import { ListPage } from "./pages/list.tsx";
import { NewPostPage } from "./pages/new-post.tsx";
import { PostPage } from "./pages/post.tsx";
import { RoadmapPage } from "./pages/roadmap.tsx";
import { Empty } from "./parts/basics.tsx";
import { Layout } from "./parts/layout.tsx";
import { t } from "./text.ts";

export function App({ url }: { url?: string }) {
  return (
    // On the server there is no address bar.
    <LocationProvider {...(url !== undefined && { url })}>
      <Layout>
        <Router>
          <Route path="/" component={ListPage} />
          <Route path="/posts/:slug" component={PostPage} />
          <Route path="/roadmap" component={RoadmapPage} />
          <Route path="/new" component={NewPostPage} />
          <Route path="/sign-in" component={SignInPage} />
          <Route path="/sign-up" component={SignUpPage} />
          <Route path="/setup" component={SetUpPage} />
          <Route path="/password-reset" component={ResetPage} />
          <Route path="/password-reset/confirm" component={NewPasswordPage} />
          <Route path="/email-verify" component={ConfirmPage} />
          <Route path="/profile" component={ProfilePage} />
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
