# %% numpy
import numpy as np
a = np.arange(12).reshape(3, 4)
print(a.mean(axis=0), np.linalg.norm(a))
np.where(a % 2 == 0, a, -a)
# %% scipy
from scipy import optimize, stats
print(round(optimize.brentq(lambda x: x**2 - 2, 0, 2), 6))
stats.describe([1, 2, 3, 4])
# %% sympy
from sympy import Integral, solve, symbols
x = symbols("x")
print(solve(x**2 - 4, x))
Integral(x**2, x)
# %% numba
import numba
@numba.njit(cache=True)
def total(n):
    s = 0
    for i in range(n):
        s += i
    return s
total(10)
# %% networkx
import networkx as nx
g = nx.path_graph(4)
print(g, nx.shortest_path(g, 0, 3))
g.degree
# %% statsmodels
import numpy as np, statsmodels.api as sm
x = np.arange(10.0)
fit = sm.OLS(2 * x + np.sin(x), sm.add_constant(x)).fit()
print(fit.params.round(3))
fit.summary().tables[1]
# %% pint
import pint
ureg = pint.UnitRegistry()
(3 * ureg.meter / (2 * ureg.second)).to("km/hour")
# %% uncertainties
from uncertainties import ufloat
ufloat(1.0, 0.1) * 3
# %% astropy
from astropy import units as u
from astropy.table import Table
print((1 * u.pc).to(u.lyr))
Table({"a": [1, 2], "b": ["x", "y"]})
# %% control
import control
control.tf([1], [1, 2, 1]).poles()
# %% pywavelets
import pywt
pywt.dwt([1, 2, 3, 4], "db1")
# %% simpy
import simpy
def clock(env):
    while True:
        print("tick", env.now)
        yield env.timeout(1)
env = simpy.Environment()
env.process(clock(env))
env.run(until=3)
# %% deap
from deap import base, creator
creator.create("Best", base.Fitness, weights=(1.0,))
creator.Best((3.0,))
# %% pulp
import pulp
problem = pulp.LpProblem("small", pulp.LpMaximize)
x = problem.add_variable("x", 0, 4)
problem += 2 * x
problem
# %% cvxpy
import cvxpy as cp
x = cp.Variable()
problem = cp.Problem(cp.Minimize((x - 1) ** 2), [x >= 2])
problem.solve()
round(float(x.value), 4)
# %% more-itertools
from more_itertools import chunked, windowed
list(chunked(range(7), 3)), list(windowed([1, 2, 3], 2))
# %% toolz
from toolz import groupby, pipe
pipe(range(6), lambda n: groupby(lambda i: i % 3, n))
# %% sortedcontainers
from sortedcontainers import SortedDict
SortedDict(b=2, a=1)
# %% boltons
from boltons.iterutils import chunked, remap
print(chunked(range(5), 2))
remap({"a": {"b": 1}}, lambda path, key, value: True)
