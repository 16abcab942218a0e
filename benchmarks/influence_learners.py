# ruff: noqa: B007, E741, NPY002, RUF059 - single letters as in formulas; compiled code has the legacy generator only
"""Learners of `search_influence.py`, compiled: thousands of data sets with 200 trainings each."""

from __future__ import annotations

import numpy as np
from numba import njit

(NB, NM, LDA, LR, KNN, TREE, FOREST, OLS, LASSO, LSSVM, BEST6, BOOST, NBLOG, LRLOG, KNNR, OLSABS, PERC, LASSO2) = range(
    18
)


@njit(cache=True)
def solve_spd(A, b):
    n = len(b)
    L = A.copy()
    x = b.copy()
    for i in range(n):
        for j in range(i + 1):
            s = L[i, j]
            for q in range(j):
                s -= L[i, q] * L[j, q]
            if i == j:
                L[i, i] = np.sqrt(max(s, 1e-12))
            else:
                L[i, j] = s / L[j, j]
    for i in range(n):
        s = x[i]
        for q in range(i):
            s -= L[i, q] * x[q]
        x[i] = s / L[i, i]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for q in range(i + 1, n):
            s -= L[q, i] * x[q]
        x[i] = s / L[i, i]
    return x


@njit(cache=True)
def linear(X, y, kind, par):
    """slope and intercept of y ~ X"""
    n, p = X.shape
    mean = np.zeros(p)
    my = 0.0
    for i in range(n):
        my += y[i]
        for j in range(p):
            mean[j] += X[i, j]
    mean /= n
    my /= n
    G = np.zeros((p, p))
    b = np.zeros(p)
    for i in range(n):
        for j in range(p):
            u = X[i, j] - mean[j]
            b[j] += u * (y[i] - my)
            for q in range(j + 1):
                G[j, q] += u * (X[i, q] - mean[q])
    for j in range(p):
        for q in range(j):
            G[q, j] = G[j, q]
    if kind in (LASSO, LASSO2):
        G /= n
        b /= n
        w = np.zeros(p)
        for _it in range(60):
            big = 0.0
            for j in range(p):
                s = b[j]
                for q in range(p):
                    if q != j:
                        s -= G[j, q] * w[q]
                new = 0.0
                if s > par:
                    new = (s - par) / G[j, j]
                elif s < -par:
                    new = (s + par) / G[j, j]
                big = max(big, abs(new - w[j]))
                w[j] = new
            if big < 1e-6:
                break
        if kind == LASSO2:  # refit on what was chosen
            cnt = 0
            for j in range(p):
                if w[j] != 0:
                    cnt += 1
            if cnt > 0:
                idx = np.empty(cnt, np.int64)
                c = 0
                for j in range(p):
                    if w[j] != 0:
                        idx[c] = j
                        c += 1
                G2 = np.zeros((cnt, cnt))
                b2 = np.zeros(cnt)
                for s1 in range(cnt):
                    b2[s1] = b[idx[s1]]
                    for s2 in range(cnt):
                        G2[s1, s2] = G[idx[s1], idx[s2]]
                w2 = solve_spd(G2, b2)
                for s1 in range(cnt):
                    w[idx[s1]] = w2[s1]
    else:
        for j in range(p):
            G[j, j] += par + 1e-9
        w = solve_spd(G, b)
    c0 = my
    for j in range(p):
        c0 -= w[j] * mean[j]
    return w, c0


@njit(cache=True)
def split_best(X, yw, wt, rows, cols):
    """best split of rows (weights wt, labels 0/1 in yw) by Gini over cols; returns col, threshold, gain"""
    m = len(rows)
    best, bc, bt = 1e-9, -1, 0.0
    tot = 0.0
    pos = 0.0
    for t in range(m):
        tot += wt[rows[t]]
        pos += wt[rows[t]] * yw[rows[t]]
    base = 2 * pos * (tot - pos) / tot
    v = np.empty(m)
    for c in cols:
        for t in range(m):
            v[t] = X[rows[t], c]
        o = np.argsort(v)
        l = 0.0
        lp = 0.0
        for t in range(m - 1):
            r = rows[o[t]]
            l += wt[r]
            lp += wt[r] * yw[r]
            a = v[o[t]]
            b = v[o[t + 1]]
            if b > a and l > 0 and tot - l > 0:
                g = base - 2 * lp * (l - lp) / l - 2 * (pos - lp) * (tot - l - pos + lp) / (tot - l)
                if g > best:
                    best, bc, bt = g, c, 0.5 * (a + b)
    return bc, bt, best


@njit(cache=True)
def tree_predict(X, y, wt, tr, te, depth, minleaf, mtry, out):
    """adds to out the share of class 1 in the leaf of each test row"""
    _n, p = X.shape
    rows0 = np.empty(len(tr), np.int64)
    c = 0
    for i in tr:
        if wt[i] > 0:
            rows0[c] = i
            c += 1
    stack_tr = [rows0[:c]]
    stack_te = [np.arange(len(te))]
    stack_d = [0]
    allc = np.arange(p)
    while len(stack_d) > 0:
        rows = stack_tr.pop()
        tes = stack_te.pop()
        d = stack_d.pop()
        if len(tes) == 0:
            continue
        tot = 0.0
        pos = 0.0
        for i in rows:
            tot += wt[i]
            pos += wt[i] * y[i]
        col = -1
        th = 0.0
        if d < depth and len(rows) >= 2 * minleaf and pos > 0 and pos < tot:
            if mtry < p:
                perm = np.random.permutation(p)
                col, th, g = split_best(X, y, wt, rows, perm[:mtry])
                if col < 0:
                    col, th, g = split_best(X, y, wt, rows, allc)
            else:
                col, th, _g = split_best(X, y, wt, rows, allc)
        if col >= 0:
            nl = 0
            for i in rows:
                if X[i, col] <= th:
                    nl += 1
            if nl < minleaf or len(rows) - nl < minleaf:
                col = -1
        if col < 0:
            for t in tes:
                out[t] += pos / tot
            continue
        L = np.empty(nl, np.int64)
        R = np.empty(len(rows) - nl, np.int64)
        a = 0
        b = 0
        for i in rows:
            if X[i, col] <= th:
                L[a] = i
                a += 1
            else:
                R[b] = i
                b += 1
        tl = np.empty(len(tes), np.int64)
        trr = np.empty(len(tes), np.int64)
        a = 0
        b = 0
        for t in tes:
            if X[te[t], col] <= th:
                tl[a] = t
                a += 1
            else:
                trr[b] = t
                b += 1
        stack_tr.append(L)
        stack_te.append(tl[:a])
        stack_d.append(d + 1)
        stack_tr.append(R)
        stack_te.append(trr[:b])
        stack_d.append(d + 1)


@njit(cache=True)
def one(X, y, tr, te, learner, par, par2, K, out):
    """scores of the test rows (larger is better) by the learner trained on tr"""
    n, p = X.shape
    m = len(te)
    if learner in (OLS, LASSO, KNNR, OLSABS, LASSO2):
        w, c0 = linear(X[tr], y[tr], learner, par)
        for t in range(m):
            f = c0
            for j in range(p):
                f += w[j] * X[te[t], j]
            e = y[te[t]] - f
            out[t] = -abs(e) if learner == OLSABS else -e * e
        return
    if learner in (NB, NM, LDA, NBLOG, BEST6):
        mu = np.zeros((2, p))
        va = np.zeros((2, p))
        cn = np.zeros(2)
        for i in tr:
            c = int(y[i])
            cn[c] += 1
            for j in range(p):
                mu[c, j] += X[i, j]
        if cn[0] < 2 or cn[1] < 2:
            c = 1.0 if cn[1] > cn[0] else 0.0
            for t in range(m):
                if learner == NBLOG:
                    out[t] = np.log(0.99) if y[te[t]] == c else np.log(0.01)
                else:
                    out[t] = 1.0 if y[te[t]] == c else 0.0
            return
        for c in range(2):
            for j in range(p):
                mu[c, j] /= cn[c]
        if learner == NM:
            for t in range(m):
                s = 0.0
                for j in range(p):
                    s += (X[te[t], j] - mu[0, j]) ** 2 - (X[te[t], j] - mu[1, j]) ** 2
                out[t] = 1.0 if (s > 0) == (y[te[t]] == 1) else 0.0
            return
        if learner == BEST6:
            best, bj = -1.0, 0
            for j in range(p):
                ok = 0
                mid = 0.5 * (mu[0, j] + mu[1, j])
                up = mu[1, j] > mu[0, j]
                for i in tr:
                    if ((X[i, j] > mid) == up) == (y[i] == 1):
                        ok += 1
                if ok > best:
                    best, bj = ok, j
            mid = 0.5 * (mu[0, bj] + mu[1, bj])
            up = mu[1, bj] > mu[0, bj]
            for t in range(m):
                out[t] = 1.0 if ((X[te[t], bj] > mid) == up) == (y[te[t]] == 1) else 0.0
            return
        if learner == LDA:
            S = np.zeros((p, p))
            for i in tr:
                c = int(y[i])
                for j in range(p):
                    u = X[i, j] - mu[c, j]
                    for q in range(p):
                        S[j, q] += u * (X[i, q] - mu[c, q])
            S /= len(tr)
            for j in range(p):
                S[j, j] += 1e-9
            w = solve_spd(S, mu[1] - mu[0])
            c0 = np.log(cn[1] / cn[0])
            for j in range(p):
                c0 -= w[j] * (mu[0, j] + mu[1, j]) / 2
            for t in range(m):
                s = c0
                for j in range(p):
                    s += w[j] * X[te[t], j]
                out[t] = 1.0 if (s > 0) == (y[te[t]] == 1) else 0.0
            return
        for i in tr:
            c = int(y[i])
            for j in range(p):
                va[c, j] += (X[i, j] - mu[c, j]) ** 2
        for c in range(2):
            for j in range(p):
                va[c, j] = va[c, j] / cn[c] + 1e-9
        for t in range(m):
            s = np.log(cn[1] / cn[0])
            for j in range(p):
                x = X[te[t], j]
                s += (
                    0.5 * np.log(va[0, j] / va[1, j])
                    + (x - mu[0, j]) ** 2 / (2 * va[0, j])
                    - (x - mu[1, j]) ** 2 / (2 * va[1, j])
                )
            if learner == NBLOG:
                z = s if y[te[t]] == 1 else -s
                out[t] = -np.log1p(np.exp(-z)) if z > -30 else z
            else:
                out[t] = 1.0 if (s > 0) == (y[te[t]] == 1) else 0.0
        return
    if learner in (LR, LRLOG):
        w = np.zeros(p + 1)
        for _it in range(12):
            g = np.zeros(p + 1)
            H = np.zeros((p + 1, p + 1))
            for i in tr:
                s = w[p]
                for j in range(p):
                    s += w[j] * X[i, j]
                q = 1 / (1 + np.exp(-s))
                v = q * (1 - q)
                for j in range(p + 1):
                    xj = X[i, j] if j < p else 1.0
                    g[j] += (y[i] - q) * xj
                    for l in range(j + 1):
                        H[j, l] += v * xj * (X[i, l] if l < p else 1.0)
            for j in range(p + 1):
                for l in range(j):
                    H[l, j] = H[j, l]
            for j in range(p):
                H[j, j] += par
                g[j] -= par * w[j]
            H[p, p] += 1e-6
            d = solve_spd(H, g)
            w += d
            if np.max(np.abs(d)) < 1e-5:
                break
        for t in range(m):
            s = w[p]
            for j in range(p):
                s += w[j] * X[te[t], j]
            if learner == LRLOG:
                z = s if y[te[t]] == 1 else -s
                out[t] = -np.log1p(np.exp(-z)) if z > -30 else z
            else:
                out[t] = 1.0 if (s > 0) == (y[te[t]] == 1) else 0.0
        return
    if learner == TREE:
        acc = np.zeros(m)
        tree_predict(X, y, np.ones(n), tr, te, int(par), int(par2), p, acc)
        for t in range(m):
            out[t] = 1.0 if (acc[t] > 0.5) == (y[te[t]] == 1) else 0.0
        return
    if learner == FOREST:
        acc = np.zeros(m)
        np.random.seed(int(par2))
        for b in range(int(par)):
            wt = np.zeros(n)
            for q in range(len(tr)):
                wt[tr[np.random.randint(len(tr))]] += 1
            tree_predict(X, y, wt, tr, te, 99, 1, max(1, int(np.sqrt(p))), acc)
        for t in range(m):
            out[t] = 1.0 if (acc[t] > 0.5 * par) == (y[te[t]] == 1) else 0.0
        return
    if learner == BOOST:
        wt = np.zeros(n)
        nt = len(tr)
        for i in tr:
            wt[i] = 1.0 / nt
        acc = np.zeros(m)
        allc = np.arange(p)
        for b in range(int(par)):
            c, th, g = split_best(X, y, wt, tr, allc)
            if c < 0:
                break
            l1 = 0.0
            l = 0.0
            r1 = 0.0
            r = 0.0
            for i in tr:
                if X[i, c] <= th:
                    l += wt[i]
                    l1 += wt[i] * y[i]
                else:
                    r += wt[i]
                    r1 += wt[i] * y[i]
            sl = 1.0 if l1 > 0.5 * l else -1.0
            sr = 1.0 if r1 > 0.5 * r else -1.0
            err = 0.0
            for i in tr:
                s = sl if X[i, c] <= th else sr
                if (s > 0) != (y[i] == 1):
                    err += wt[i]
            err = min(max(err, 1e-4), 0.4999)
            a = 0.5 * np.log((1 - err) / err)
            tot = 0.0
            for i in tr:
                s = sl if X[i, c] <= th else sr
                wt[i] *= np.exp(-a * s * (2 * y[i] - 1))
                tot += wt[i]
            for i in tr:
                wt[i] /= tot
            for t in range(m):
                acc[t] += a * (sl if X[te[t], c] <= th else sr)
        for t in range(m):
            out[t] = 1.0 if (acc[t] > 0) == (y[te[t]] == 1) else 0.0
        return
    if learner == LSSVM:
        nt = len(tr)
        G = np.empty((nt, nt))
        b = np.empty(nt)
        for i in range(nt):
            b[i] = 2 * y[tr[i]] - 1
            for j in range(nt):
                G[i, j] = K[tr[i], tr[j]]
            G[i, i] += par
        a = np.linalg.solve(G, b)
        for t in range(m):
            s = 0.0
            for i in range(nt):
                s += a[i] * K[te[t], tr[i]]
            out[t] = 1.0 if (s > 0) == (y[te[t]] == 1) else 0.0
        return
    if learner == PERC:
        w = np.zeros(p + 1)
        sm = np.zeros(p + 1)
        for _ep in range(int(par)):
            for i in tr:
                s = w[p]
                for j in range(p):
                    s += w[j] * X[i, j]
                z = 2 * y[i] - 1
                if s * z <= 0:
                    for j in range(p):
                        w[j] += z * X[i, j]
                    w[p] += z
                if par2 > 0:
                    sm += w
        v = sm if par2 > 0 else w
        for t in range(m):
            s = v[p]
            for j in range(p):
                s += v[j] * X[te[t], j]
            out[t] = 1.0 if (s > 0) == (y[te[t]] == 1) else 0.0
        return


@njit(cache=True)
def cross(X, y, ids, learner, par, par2):
    R, n = ids.shape
    p = X.shape[1]
    res = np.zeros((R, n))
    K = np.zeros((1, 1))
    if learner in (KNN, LSSVM, KNNR):
        K = np.zeros((n, n))
        for i in range(n):
            for j in range(i):
                s = 0.0
                for q in range(p):
                    s += (X[i, q] - X[j, q]) ** 2
                K[i, j] = s
                K[j, i] = s
    if learner == LSSVM:
        K = np.exp(-K / (2 * p * par2))
    if learner in (KNN, KNNR):
        kk = int(par)
        for i in range(n):
            K[i, i] = 1e300
            o = np.argsort(K[i])
            for r in range(R):
                got = 0
                s = 0.0
                if ids[r, i] < 0:
                    continue
                for t in range(n - 1):
                    j = o[t]
                    if ids[r, j] != ids[r, i]:
                        s += y[j]
                        got += 1
                        if got == kk:
                            break
                if learner == KNN:
                    res[r, i] = 1.0 if (s * 2 > kk) == (y[i] == 1) else 0.0
                else:
                    e = y[i] - s / kk
                    res[r, i] = -e * e
        return res
    for r in range(R):
        k = ids[r].max() + 1
        for f in range(k):
            te = np.nonzero(ids[r] == f)[0]
            tr = np.nonzero(ids[r] != f)[0]
            if len(te) == 0:
                continue
            out = np.zeros(len(te))
            one(X, y, tr, te, learner, par, par2, K, out)
            for t in range(len(te)):
                res[r, te[t]] = out[t]
    return res


def deal(rng, cls, R, k):
    n = len(cls)
    ids = np.empty((R, n), np.int64)
    for r in range(R):
        order = rng.permutation(n)
        order = order[np.argsort(cls[order], kind="stable")]
        ids[r, order] = np.arange(n) % k
    return ids
