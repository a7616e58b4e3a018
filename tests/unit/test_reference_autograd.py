import numpy as np
import pytest
from hypothesis import given
from test_reference_bptt import problems, relative_error

from rnn_helpers.reference import from_chiang, rnn_backward, rnn_forward, rnn_loss, to_chiang


def by_autograd(params, x, h0, y, mask, nonlinearity):
    """Loss and gradients by PyTorch's autograd from the equations."""
    torch = pytest.importorskip("torch")
    arrays = {**params, "h0": h0}
    U, W, V, b, c, h = leaves = [
        torch.tensor(array, requires_grad=True) for array in arrays.values()
    ]
    x, y = torch.tensor(x), torch.tensor(y)
    if not x.is_floating_point():
        x = torch.nn.functional.one_hot(x, U.shape[-1]).double()
    squash = {"tanh": torch.tanh, "sigmoid": torch.sigmoid}[nonlinearity]
    seeds, batch = W.shape[:-2], h.shape[:-1]
    one = "s" if seeds else ""
    rest = "b" * (len(batch) - len(seeds))
    bias = (lambda v: v[:, None]) if seeds else (lambda v: v)
    L = 0
    for t in range(len(x)):
        x_t, y_t = x[t].expand(*batch, -1), y[t].expand(batch)
        Wh = torch.einsum(f"{one}ij,{one}{rest}j->{one}{rest}i", W, h)
        Ux = torch.einsum(f"{one}ij,{one}{rest}j->{one}{rest}i", U, x_t)
        h = squash(bias(b) + Wh + Ux)
        o = bias(c) + torch.einsum(f"{one}ij,{one}{rest}j->{one}{rest}i", V, h)
        L_t = torch.logsumexp(o, -1) - o.gather(-1, y_t[..., None])[..., 0]
        weight = 1 if mask is None else torch.tensor(mask[t])
        L_t = weight * L_t
        L = L + (L_t.sum(-1) if seeds else L_t.sum())
    L.sum().backward()
    return L.detach().numpy(), {
        name: leaf.grad.numpy() for name, leaf in zip(arrays, leaves, strict=True)
    }


@pytest.mark.slow
@pytest.mark.chapter("04")
@pytest.mark.equation("10.12", "10.13", "10.14", "10.17", "10.18", "10.19", "10.20", "10.21")
@pytest.mark.equation("10.22", "10.23", "10.24", "10.25", "10.26", "10.27", "10.28")
@given(problems(largest=12))
def test_loss_and_gradients_agree_with_autograd(problem):
    params, x, h0, y, mask, nonlinearity = problem
    loss, grads = by_autograd(*problem)
    run = rnn_forward(params, x, h0, nonlinearity)
    np.testing.assert_allclose(rnn_loss(run, y, mask), loss, rtol=1e-12)
    for name, grad in rnn_backward(params, run, y, mask).items():
        assert relative_error(grad, grads[name]) < 1e-12, name


@pytest.mark.slow
@pytest.mark.chapter("04")
@pytest.mark.equation("5.10", "5.11")
@given(problems(largest=12))
def test_the_log_likelihood_of_chiangs_network_has_the_opposite_gradient(problem):
    params, x, h0, y, _, _ = problem
    loss, grads = by_autograd(from_chiang(to_chiang(params)), x, h0, y, None, "sigmoid")
    run = rnn_forward(params, x, h0, "sigmoid")
    log_likelihood, grad = -rnn_loss(run, y), rnn_backward(params, run, y)
    ascent = to_chiang({name: -grad[name] for name in params})
    np.testing.assert_allclose(log_likelihood, -loss, rtol=1e-12)
    for his, ours in {"A": "W", "B": "U", "c": "b", "D": "V", "e": "c"}.items():
        assert relative_error(ascent[his], -grads[ours]) < 1e-12, his
