package hub

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/git-sage/git-sage/recall/embed/internal/web"
)

// pace is how requests are tried again.
func (h *Hub) pace() web.Pace {
	return web.Pace{Tries: tries, First: firstWait, Most: mostWait, Sleep: h.Sleep}
}

// get sends a request to the hub, following it to wherever it sends, until somebody
// answers. HEAD is not followed to another host: what the hub itself says counts. The
// caller closes the body.
func (h *Hub) get(ctx context.Context, method, address string, from int64) (resp *http.Response, err error) {
	err = h.pace().Do(ctx, func() error { resp, err = h.follow(ctx, method, address, from); return err })
	return resp, err
}

func (h *Hub) follow(ctx context.Context, method, address string, from int64) (*http.Response, error) {
	for range mostHops {
		resp, err := h.once(ctx, method, address, from)
		if err != nil {
			return nil, err
		}
		to := resp.Header.Get("Location")
		if resp.StatusCode < 300 || resp.StatusCode > 399 || to == "" {
			if err := h.refused(resp); err != nil {
				_ = resp.Body.Close()
				return nil, err
			}
			return resp, nil
		}
		next, err := resp.Request.URL.Parse(to)
		if method == http.MethodHead && err == nil && (next.Host != resp.Request.URL.Host || resp.Header.Get("X-Linked-Etag") != "") {
			return resp, nil
		}
		_ = resp.Body.Close()
		if err != nil || next.Scheme != "https" && next.Scheme != resp.Request.URL.Scheme {
			return nil, fmt.Errorf("%s sends to what is no address", h.host())
		}
		address = next.String()
	}
	return nil, fmt.Errorf("%s sends from one address to the next", h.host())
}

// once sends one request, with the token if it goes to the hub itself.
func (h *Hub) once(ctx context.Context, method, address string, from int64) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(h.base())
	if err != nil {
		return nil, err
	}
	if h.Token != "" && req.URL.Host == base.Host && req.URL.Scheme == base.Scheme {
		req.Header.Set("Authorization", "Bearer "+h.Token)
	}
	req.Header.Set("User-Agent", "git-sage")
	req.Header.Set("Accept-Encoding", "identity") // sizes are those of files
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	resp, err := h.client().Do(req)
	if err == nil {
		return resp, nil
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, web.Passed(fmt.Errorf("%s: %w", req.URL.Host, web.Bare(err)))
}

// refused says what an answer that is none means.
func (h *Hub) refused(resp *http.Response) error {
	switch code := resp.StatusCode; {
	case code == http.StatusOK || code == http.StatusPartialContent || code == http.StatusRequestedRangeNotSatisfiable:
		return nil
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		if h.Token != "" {
			return fmt.Errorf("%s does not give it to the holder of HF_TOKEN", resp.Request.URL.Host)
		}
		return fmt.Errorf("%s does not have it, or not for everybody: HF_TOKEN may hold a token", resp.Request.URL.Host)
	case code == http.StatusNotFound:
		return fmt.Errorf("%s does not have it", resp.Request.URL.Host)
	}
	err := fmt.Errorf("%s answers %s", resp.Request.URL.Host, resp.Status)
	return cmp.Or(web.Busy(resp, err), err)
}

func (h *Hub) client() *http.Client { return cmp.Or(h.Client, web.Client) }
