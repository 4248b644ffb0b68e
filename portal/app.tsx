import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { token } from "./api.ts";
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
import { NotFound } from "./parts/basics.tsx";
import { Layout } from "./parts/layout.tsx";

/** Loaded by the team only. A page that was open during a deploy may ask for a file that is gone. */
const ManagePage = lazy(() => import("./pages/manage.tsx").catch(() => location.reload() as never));

function TeamPage() {
  return token.value ? <ManagePage /> : <SignInPage />;
}

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
          <Route path="/manage/:part?" component={TeamPage} />
          <Route default component={NotFound} />
        </Router>
      </Layout>
    </LocationProvider>
  );
}
